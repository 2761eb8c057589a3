import { describe, expect, it } from 'vitest';
import type { Call, LogLevel } from '../../../src/base/call/call.ts';
import { findLogged, withServerLogger } from '../../../src/downstream/call/log-route.ts';
import { buildCall, startFake } from '../fake-server.ts';

const call = (logLevel?: LogLevel): Call => buildCall(logLevel === undefined ? {} : { logLevel });

describe('a log message', () => {
  const [quiet, debug, errors] = [call(), call('debug'), call('error')];

  it.each<[string, Call[], string, Call | undefined]>([
    ['one call wants it', [debug], 'info', debug],
    ['the call did not ask', [quiet], 'info', undefined],
    ['it is below the level of the call', [errors], 'info', undefined],
    ['one of several calls wants it', [quiet, errors, debug], 'info', debug],
    ['its level is unknown', [debug], 'shout', undefined],
  ])('finds its call when %s', (_case, calls, level, found) => {
    const open = calls.map((one) => ({ call: one }));
    expect(findLogged({ level, data: 'x' }, open)?.call).toBe(found);
  });

  it.each<[string, Call[], LogLevel[]]>([
    ['one call wants log messages', [quiet, debug], ['debug']],
    ['none does', [quiet], []],
    ['two do', [debug, errors], []],
    ['the only one wants worse ones', [errors], []],
  ])(
    'of a server that logs only for calls that ask for it reaches, of several clients, who does: %s',
    (_, calls, levels) => {
      const { connection, say } = startFake({ era: 'modern' });
      const heard: (LogLevel | undefined)[] = [];
      const clients = [...calls, quiet];
      for (const [at, { features }] of clients.entries()) {
        const { logLevel } = features;
        const client = { name: `client ${at}`, principal: '' };
        void connection.call(
          buildCall({ client, ...(logLevel === undefined ? {} : { logLevel }), notify: () => heard.push(logLevel) }),
        );
      }
      say('notifications/message', { level: 'info', data: 'x' });
      expect(heard).toEqual(levels);
    },
  );

  it('says which server speaks', () => {
    expect(withServerLogger({ level: 'info', logger: 'db' }, 'files')).toEqual({ level: 'info', logger: 'files/db' });
    expect(withServerLogger({ level: 'info' }, 'files')).toEqual({ level: 'info', logger: 'files' });
  });
});
