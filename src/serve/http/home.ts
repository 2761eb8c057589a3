/** The page for a person who opens the service in a browser. It says nothing that needs a token. */
import type { ServerResponse } from 'node:http';
import { sendJson } from './request/refusal.ts';
import { endpoint } from './request/route.ts';

const headers = { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' };

export function answerHome(response: ServerResponse, origin: string): void {
  const lines = [
    'MCP Workbench: one MCP server in front of many.',
    '',
    `Point an MCP client at ${origin}${endpoint} (transport: Streamable HTTP).`,
    'It sends "Authorization: Bearer <token>", with the token that the service has shown at its start.',
  ];
  sendJson(response, `${lines.join('\n')}\n`, { headers });
}
