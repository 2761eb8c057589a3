/** A person with a browser, as code: follows redirects, keeps cookies, fills in the forms of the test server. */

/** Signs in at an authorization address; gives the address the browser is sent back to, without going there. */
export async function walk(start: URL | string): Promise<URL> {
  const cookies = new Map<string, string>();
  let url = new URL(start);
  let form: URLSearchParams | undefined;
  for (let steps = 0; steps < 20; steps++) {
    if (url.pathname === '/callback') return url;
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response: Response = await fetch(url, {
      redirect: 'manual',
      method: form === undefined ? 'GET' : 'POST',
      headers: { cookie, ...(form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }) },
      ...(form === undefined ? {} : { body: form.toString() }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const equals = pair.indexOf('=');
      cookies.set(pair.slice(0, equals), pair.slice(equals + 1));
    }
    const location = response.headers.get('location');
    const page = await response.text();
    const action = /<form[^>]* action="([^"]+)"/.exec(page)?.[1];
    const prompt = /name="prompt" value="([^"]+)"/.exec(page)?.[1];
    if (location !== null) {
      url = new URL(location, url);
      form = undefined;
    } else if (action !== undefined && prompt !== undefined) {
      url = new URL(action, url);
      form = new URLSearchParams({ prompt, login: 'ada', password: 'secret' });
    } else
      throw new Error(`the sign-in stopped at ${url.pathname} with status ${response.status}: ${page.slice(0, 600)}`);
  }
  throw new Error('the sign-in never came back');
}

/** The same, and then the way back. */
export async function walkHome(start: URL | string): Promise<Response> {
  return fetch(await walk(start));
}
