/** Signing in, loaded only when it is used. */
import type { SignIns, SignInsOptions } from '../downstream/oauth/sign-ins.ts';

/** Signing in to the servers of a configuration, for the person at this machine. */
export async function openSignIns(options: SignInsOptions): Promise<SignIns> {
  const { createSignIns } = await import('../downstream/oauth/sign-ins.ts');
  return createSignIns(options);
}

/** Opens an address that a sign-in has shown; resolves to whether a browser could be started. */
export async function openBrowser(url: URL): Promise<boolean> {
  const { startBrowser } = await import('../net/open-browser.ts');
  return startBrowser(url, process.platform);
}
