import { expect, it } from 'vitest';
import type { OnUpdated, Watch } from '../../../src/base/call/watch.ts';
import type { FrontSession } from '../../../src/front/front.ts';
import { createWatchedResources } from '../../../src/serve/legacy/watched-resources.ts';

it('a client that has left hears nothing of what was still being asked for, and that is taken back', async () => {
  const sent: string[] = [];
  let tell: OnUpdated = () => {};
  let begin: (watch: Watch) => void = () => {};
  let stopped = 0;
  const subscribe: FrontSession['subscribe'] = (_uri, { listener }) => {
    tell = listener;
    return new Promise((resolve) => {
      begin = resolve;
    });
  };
  const client = { name: 'c', principal: '' };
  const resources = createWatchedResources({ subscribe } as FrontSession, { client, send: (line) => sent.push(line) });
  const subscribed = resources.subscribe({ uri: 'x://a' });
  tell('x://a');
  expect(sent).toHaveLength(1);
  resources.close();
  tell('x://a');
  expect(sent).toHaveLength(1);
  begin({ stop: () => stopped++ });
  await subscribed;
  expect(stopped).toBeGreaterThan(0);
});
