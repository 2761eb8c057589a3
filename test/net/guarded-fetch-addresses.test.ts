import { describe, expect, it } from 'vitest';
import { createGuardedFetch } from '../../src/net/guarded-fetch.ts';

/** Everything that is asked for; nothing is ever connected. */
function createRecorder(answers: Record<string, string[]> = {}) {
  const connected: string[] = [];
  const looked: string[] = [];
  const fetch = createGuardedFetch({
    allowLoopbackHttp: ['http://localhost:9000', 'http://127.0.0.1:9000'],
    allowPrivate: ['https://sso.corp.example'],
    env: {},
    lookup: async (host) => {
      looked.push(host);
      return answers[host] ?? ['93.184.215.14'];
    },
    connect: ({ addresses, port }) => {
      connected.push(`${addresses.join()}:${port}`);
      throw Object.assign(new Error('recorded'), { code: 'ERECORDED' });
    },
  });
  return { fetch, connected, looked };
}

describe('an address that must not be asked', () => {
  it.each([
    // Spellings of this machine.
    'https://127.0.0.1/',
    'https://127.0.0.1:443/',
    'https://127.1/',
    'https://127.0.1/',
    'https://127.0.0.1./',
    'https://2130706433/',
    'https://017700000001/',
    'https://0177.0.0.1/',
    'https://0x7f000001/',
    'https://0x7f.0.0.1/',
    'https://0x7F.1/',
    'https://127.0.0.0x1/',
    'https://0/',
    'https://0.0.0.0/',
    'https://0x0/',
    'https://%31%32%37.0.0.1/',
    'https://127。0。0。1/',
    'https://127．0．0．1/',
    'https://①②⑦.0.0.1/',
    'https://[::1]/',
    'https://[0:0:0:0:0:0:0:1]/',
    'https://[::]/',
    'https://[::127.0.0.1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[0:0:0:0:0:ffff:127.0.0.1]/',
    'https://[::ffff:0:7f00:1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[64:ff9b:1::7f00:1]/',
    'https://[2002:7f00:1::]/',
    'https://[2001:0:4136:e378:8000:63bf:80ff:fffe]/',
    'https://localhost/',
    'https://LOCALHOST/',
    'https://localhost./',
    'https://localhost:9000/',
    'https://app.localhost/',
    'https://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/',
    'https://localhost.localdomain/',
    // The local network.
    'https://10.0.0.1/',
    'https://167772161/',
    'https://012.0.0.1/',
    'https://172.16.0.1/',
    'https://172.31.255.254/',
    'https://192.168.0.1/',
    'https://192.168.257/',
    'https://3232235521/',
    'https://100.64.0.1/',
    'https://198.18.0.1/',
    'https://224.0.0.1/',
    'https://255.255.255.255/',
    'https://[fc00::1]/',
    'https://[fd12:3456::1]/',
    'https://[fe80::1]/',
    'https://[fe80::1%25eth0]/',
    'https://[ff02::1]/',
    'https://router/',
    'https://intranet/',
    'https://printer.local/',
    'https://nas.lan/',
    'https://host.docker.internal/',
    'https://box.home.arpa/',
    // Where clouds answer for a machine.
    'https://169.254.169.254/latest/meta-data/',
    'https://2852039166/',
    'https://0xa9fea9fe/',
    'https://0251.0376.0251.0376/',
    'https://169.254.43518/',
    'https://[::ffff:169.254.169.254]/',
    'https://[::ffff:a9fe:a9fe]/',
    'https://[64:ff9b::a9fe:a9fe]/',
    'https://[fd00:ec2::254]/',
    'https://168.63.129.16/',
    'https://100.100.100.200/',
    'https://192.0.0.192/',
    'https://metadata/',
    'https://metadata.google.internal/',
    'https://metadata.google.internal./',
    'https://METADATA.GOOGLE.INTERNAL/',
    'https://instance-data/',
    'https://instance-data.ec2.internal/',
    // Other roads.
    'http://example.com/',
    'http://93.184.215.14/',
    'http://127.0.0.1/',
    'http://127.0.0.1:9001/',
    'http://[::1]:9000/',
    'http://localhost.:9000/',
    'http://sso.corp.example/',
    'https://user@example.com/',
    'https://user:pass@example.com/',
    'https://:pass@example.com/',
    'https://example.com:443@127.0.0.1/',
    'https://127.0.0.1\\@example.com/',
    'https://127.0.0.1#@example.com/',
    'https://127.0.0.1?@example.com/',
    'ftp://example.com/',
    'file:///etc/passwd',
    'data:application/json,{}',
    'javascript:alert(1)',
    'gopher://example.com/',
    'ws://example.com/',
    'blob:https://example.com/1',
    '//example.com/',
    '/keys',
    'https://',
    'https:///',
    'https://exa mple.com/',
    'https://256.256.256.256/',
    'https://1.2.3.4.5/',
    'https://example.com:99999/',
    'https://..example../',
    '',
  ])('is refused before anything is looked up or connected: %s', async (address) => {
    const { fetch, connected, looked } = createRecorder();
    await expect(fetch(address)).rejects.toMatchObject({ code: 'WB1308' });
    expect([connected, looked]).toEqual([[], []]);
  });

  it.each([
    ['private', ['10.0.0.1']],
    ['loopback', ['127.0.0.1']],
    ['IPv6 loopback', ['::1']],
    ['unspecified', ['0.0.0.0']],
    ['metadata', ['169.254.169.254']],
    ['link-local with a zone', ['fe80::1%eth0']],
    ['mapped', ['::ffff:10.0.0.1']],
    ['NAT64 of a private one', ['64:ff9b::a00:1']],
    ['a public one first', ['93.184.215.14', '10.0.0.1']],
    ['a public one last', ['::1', '2606:4700::1']],
  ])('is refused when its name has it: %s', async (_kind, addresses) => {
    const { fetch, connected, looked } = createRecorder({ 'rebind.example': addresses });
    await expect(fetch('https://rebind.example/')).rejects.toMatchObject({
      code: 'WB1308',
      message: 'the address https://rebind.example was refused: it leads to this machine or a private network',
    });
    expect([connected, looked]).toEqual([[], ['rebind.example']]);
  });

  it('is refused when a name configured for this machine leads elsewhere', async () => {
    const { fetch, connected } = createRecorder({ localhost: ['127.0.0.1', '93.184.215.14'] });
    await expect(fetch('http://localhost:9000/')).rejects.toMatchObject({ code: 'WB1308' });
    expect(connected).toEqual([]);
  });

  it('is refused when its name has no address', async () => {
    const { fetch } = createRecorder({ 'nowhere.example': [] });
    await expect(fetch('https://nowhere.example/')).rejects.toMatchObject({ code: 'WB1309' });
  });
});

describe('an address that may be asked', () => {
  it.each([
    ['https://example.com/', '93.184.215.14:443'],
    ['HTTPS://EXAMPLE.COM:8443/', '93.184.215.14:8443'],
    ['https://8.8.8.8/', '8.8.8.8:443'],
    ['https://134744072/', '8.8.8.8:443'],
    ['https://[2606:4700:4700::1111]/', '2606:4700:4700::1111:443'],
    ['https://two.example/', '1.1.1.1,2606:4700::1:443'],
    ['http://127.0.0.1:9000/', '127.0.0.1:9000'],
    ['http://localhost:9000/path?query', '::1,127.0.0.1:9000'],
    ['https://sso.corp.example/', '10.1.2.3:443'],
  ])('is connected to at the very addresses that were checked: %s', async (address, at) => {
    const { fetch, connected, looked } = createRecorder({
      'two.example': ['1.1.1.1', '2606:4700::1'],
      localhost: ['::1', '127.0.0.1'],
      'sso.corp.example': ['10.1.2.3'],
    });
    await expect(fetch(address)).rejects.toMatchObject({
      code: 'WB1309',
      message: expect.stringContaining('ERECORDED'),
    });
    expect(connected).toEqual([at]);
    expect(looked.length).toBeLessThanOrEqual(1);
  });
});
