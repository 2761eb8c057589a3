import { describe, expect, it } from 'vitest';
import { checkAuthorizationUrl } from '../../src/net/authorization-url.ts';
import { type BrowserPlan, planBrowser, startBrowser } from '../../src/net/open-browser.ts';

/** What a sign-in does with an address that a server sent. */
async function open(text: string, platform: NodeJS.Platform = 'linux'): Promise<BrowserPlan[]> {
  const opened: BrowserPlan[] = [];
  const record = async (plan: BrowserPlan) => opened.push(plan) > 0;
  try {
    await startBrowser(checkAuthorizationUrl(text), platform, record);
  } catch (error) {
    expect(error).toMatchObject({ code: 'WB1310' });
    // What was refused may be made to be shown: it is not.
    if (text.length > 3) expect(String(error)).not.toContain(text);
  }
  return opened;
}

describe('a sign-in address that could be taken for something else', () => {
  it.each([
    // Other schemes, and what looks like an option.
    'http://login.example/authorize',
    'http://127.0.0.1.login.example/',
    'http://localhost.login.example/',
    'http://10.0.0.1/',
    'http://[::ffff:127.0.0.1]/',
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'file:///etc/passwd',
    'file:///C:/Windows/System32/calc.exe',
    'ftp://login.example/',
    'ms-msdt:/id',
    'search-ms:query=x',
    'vscode://x',
    'smb://login.example/share',
    'calculator:',
    '//login.example/',
    '/authorize',
    'login.example',
    '',
    'https:',
    'https://',
    '-https://login.example/',
    '--help',
    '-a Calculator',
    // Shells.
    'https://login.example/$(id)',
    'https://login.example/?a=$HOME',
    'https://login.example/?a=`id`',
    "https://login.example/?a='&calc&'",
    'https://login.example/?a="&calc&"',
    'https://login.example/\\..\\calc.exe',
    'https:\\\\login.example\\',
    'https://login.example/?a=%PATH%',
    'https://login.example/?a=%',
    'https://login.example/?a=%4',
    'https://login.example/?a=%zz',
    'https://login.example/?a|calc',
    'https://login.example/?a^b',
    'https://$(calc.exe)/',
    "https://www.'$(calc)'.example/",
    // White space, control and invisible characters.
    ' https://login.example/',
    'https://login.example/ ',
    'https://login.example/a b',
    'https://login.example/\n--help',
    'https://login.example/\r\nx',
    'https://log\tin.example/',
    'https://login.example/\0',
    'https://login.example/\u001b[31m',
    'https://login.example/\u007f',
    'https://login.example/\u0085',
    'https://login.example/\u00a0',
    'https://login.example/\u2028',
    // Who is asked.
    'https://user@login.example/',
    'https://user:pass@login.example/',
    'https://@login.example/',
    'https://:@login.example/',
    'https://good.example@evil.example/',
    'https://good.example:443@evil.example/',
    'https:good.example@evil.example/',
    'https://exa<mple/',
    'https://login.example:99999/',
    // Size.
    `https://login.example/${'a'.repeat(2_048)}`,
    `https://login.example/${'ä'.repeat(400)}`,
  ])('is not opened: %j', async (text) => {
    for (const platform of ['linux', 'darwin', 'win32'] as const) expect(await open(text, platform)).toEqual([]);
  });
});

describe('a plain sign-in address', () => {
  it.each([
    ['https://login.example', 'https://login.example/'],
    ['HTTPS://Login.Example/Authorize', 'https://login.example/Authorize'],
    [
      'https://login.example/a?client_id=x&redirect_uri=http%3A%2F%2F127.0.0.1%3A1%2Fcallback&scope=a+b',
      'https://login.example/a?client_id=x&redirect_uri=http%3A%2F%2F127.0.0.1%3A1%2Fcallback&scope=a+b',
    ],
    ['https://login.example/a/../b', 'https://login.example/b'],
    ['https://login.example:8443/a;b=(c)!*,~@d', 'https://login.example:8443/a;b=(c)!*,~@d'],
    ['https://bücher.example/ä', 'https://xn--bcher-kva.example/%C3%A4'],
    ['http://localhost:3000/authorize', 'http://localhost:3000/authorize'],
    ['http://127.0.0.1/', 'http://127.0.0.1/'],
    ['http://2130706433/', 'http://127.0.0.1/'],
    ['http://[::1]:3000/', 'http://[::1]:3000/'],
    ['https://10.0.0.1/authorize', 'https://10.0.0.1/authorize'],
  ])('is opened, written anew: %s', async (text, href) => {
    expect(await open(text)).toEqual([{ command: 'xdg-open', args: [href] }]);
  });

  it('is one argument of a program, never of a shell', () => {
    const url = checkAuthorizationUrl('https://login.example/?a=1&b=2');
    expect(planBrowser(url, 'linux')).toEqual({ command: 'xdg-open', args: [url.href] });
    expect(planBrowser(url, 'freebsd')).toEqual({ command: 'xdg-open', args: [url.href] });
    expect(planBrowser(url, 'darwin')).toEqual({ command: '/usr/bin/open', args: [url.href] });
    expect(planBrowser(url, 'win32', 'D:\\Windows')).toEqual({
      command: 'D:\\Windows\\System32\\rundll32.exe',
      args: ['url.dll,FileProtocolHandler', url.href],
    });
  });
});
