/** Opens a checked address in the browser of the person at this machine, without a shell. */
import { spawn } from 'node:child_process';
import { win32 } from 'node:path';

export interface BrowserPlan {
  readonly command: string;
  readonly args: readonly string[];
}

/** `url` comes from `checkAuthorizationUrl`. `systemRoot` is the folder of Windows: a bare name could be found elsewhere first. */
export function planBrowser(url: URL, platform: NodeJS.Platform, systemRoot = 'C:\\Windows'): BrowserPlan {
  switch (platform) {
    case 'win32':
      return {
        command: win32.join(systemRoot, 'System32', 'rundll32.exe'),
        args: ['url.dll,FileProtocolHandler', url.href],
      };
    case 'darwin':
      return { command: '/usr/bin/open', args: [url.href] };
    default:
      return { command: 'xdg-open', args: [url.href] };
  }
}

/** Starts the program; resolves to whether it could be started. */
export type Opener = (plan: BrowserPlan) => Promise<boolean>;

export function startBrowser(url: URL, platform: NodeJS.Platform, open: Opener = startDetached): Promise<boolean> {
  return open(planBrowser(url, platform, process.env.SystemRoot));
}

const startDetached: Opener = ({ command, args }) =>
  new Promise((done) => {
    const child = spawn(command, args, { shell: false, detached: true, stdio: 'ignore', windowsHide: true });
    child.once('error', () => done(false));
    child.once('spawn', () => {
      child.unref();
      done(true);
    });
  });
