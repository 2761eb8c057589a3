import { describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { findChromium, openPage } from './chromium.ts';
import { openDesk } from './program.ts';
import { openPlace } from './support.ts';

const chromium = findChromium();
const title =
  chromium === undefined
    ? 'is left out: no Chromium was found on the PATH or in CHROMIUM'
    : 'ends on our page, after the forms of the authorization server, and the token works';

/** Fills in whatever form the page shows; says where it is. */
const step = `(() => {
  const form = document.querySelector('form[action*="interaction"]');
  const prompt = form?.querySelector('input[name=prompt]')?.value;
  if (prompt === 'login') {
    form.querySelector('input[name=login]').value = 'ada';
    form.querySelector('input[name=password]').value = 'secret';
  }
  if (prompt !== undefined && !form.dataset.sent) {
    form.dataset.sent = 'yes';
    form.querySelector('button').click();
  }
  return location.pathname + ' ' + document.body.innerText;
})()`;

describe('a sign-in in a real browser', () => {
  it.skipIf(chromium === undefined)(title, { timeout: 90_000 }, async () => {
    const desk = openDesk(await openPlace());
    let seen: unknown;
    const login = await desk.run(['auth', 'login', 'guarded', '--no-browser'], (url) => {
      void openPage(chromium!, url).then((page) =>
        eventually(async () => {
          const text = await page.read(step);
          expect(String(text)).toMatch(/^\/callback/);
          seen = text;
        }, 60_000),
      );
    });
    expect(login).toMatchObject({ code: 0, stdout: expect.stringContaining('signed in to guarded') });
    expect(await desk.run(['call', 'guarded.read'])).toMatchObject({ stdout: 'done: read\n' });
    await eventually(() => expect(seen).toContain('You can close this page'));
  });
});
