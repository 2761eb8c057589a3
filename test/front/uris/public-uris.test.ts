import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { RawJson } from '../../../src/base/json/raw-json.ts';
import { withPublicUi, withPublicUris } from '../../../src/front/uris/public-uris.ts';

const wrap = (uri: string) => `s+${uri}`;
const link = { type: 'resource_link', uri: 'a:b' };
const shownLink = { ...link, uri: 's+a:b' };
const embedded = { type: 'resource', resource: { uri: 'a:b', text: 'a:b' } };
const shownEmbedded = { type: 'resource', resource: { uri: 's+a:b', text: 'a:b' } };

describe('URIs in results', () => {
  it.each([
    ['tools/call', { content: [link, embedded] }, { content: [shownLink, shownEmbedded] }],
    [
      'prompts/get',
      { messages: [{ content: link }, { content: embedded }] },
      { messages: [{ content: shownLink }, { content: shownEmbedded }] },
    ],
    ['resources/read', { contents: [{ uri: 'a:b', text: 'a:b' }] }, { contents: [{ uri: 's+a:b', text: 'a:b' }] }],
  ])('URIs in results of %s are shown where they stand for a resource', (method, result, expected) => {
    expect(withPublicUris(method, RawJson.of(result), wrap).value).toEqual(expected);
  });

  it.each([
    ['tools/call', { contents: [{ uri: 'a:b' }], messages: [{ content: link }], structuredContent: link }],
    [
      'tools/call',
      {
        content: [
          { type: 'text', uri: 'a:b' },
          { type: 'resource_link', uri: 7 },
          { type: 'resource', resource: 'x' },
          null,
          'x',
        ],
      },
    ],
    ['tools/call', { content: 'no list' }],
    ['prompts/get', { content: [link], messages: ['x', {}, { content: [link] }] }],
    ['resources/read', { content: [link], contents: [{ text: 'x' }] }],
    ['completion/complete', { content: [link], contents: [{ uri: 'a:b' }] }],
  ] as [string, JsonObject][])('of %s stay as they are anywhere else: %j', (method, result) => {
    const payload = RawJson.of(result);
    expect(withPublicUris(method, payload, wrap)).toBe(payload);
  });
});

describe('URIs in definitions of tools', () => {
  it('URIs in definitions of tools are shown where they name the resource that shows results', () => {
    const definition = {
      name: 'x',
      _meta: { ui: { resourceUri: 'ui:a', more: 'ui:a' }, 'ui/resourceUri': 'ui:b', uri: 'ui:c' },
    };
    expect(withPublicUi(definition, wrap)).toEqual({
      name: 'x',
      _meta: { ui: { resourceUri: 's+ui:a', more: 'ui:a' }, 'ui/resourceUri': 's+ui:b', uri: 'ui:c' },
    });
  });

  it.each([{ name: 'x' }, { _meta: {} }, { _meta: { ui: 'x' } }, { _meta: { ui: { resourceUri: 7 } } }])(
    'URIs in definitions of tools leave %j as it is',
    (definition) => {
      expect(withPublicUi(definition as JsonObject, wrap)).toBe(definition);
    },
  );
});
