/**
 * Watches the configuration file and the env files it names, and reports the configuration, or its mistakes, whenever their
 * content has changed. It decides when to read, not what to do with the result.
 */
import { createHash } from 'node:crypto';
import { watch as watchPath } from 'node:fs';
import { basename, dirname } from 'node:path';
import { type Clock, systemClock } from '../../base/async/clock.ts';
import { WorkbenchError } from '../../base/errors/errors.ts';
import { fileVersion } from '../../state/file-version.ts';
import type { Config } from '../model/config.ts';
import { readConfigBytes } from '../source/read-config-bytes.ts';
import { type LoadOptions, type ReadBytes, readConfig } from './load.ts';

export interface ConfigWatchOptions
  extends Pick<LoadOptions, 'mode' | 'separator' | 'env' | 'home' | 'trust' | 'leaveOut'> {
  /** Absolute. */
  readonly path: string;
  /** `asked`: by `reload`; then also when the content is the same. Otherwise once per content, the first one included. */
  onConfig(config: Config, why: { readonly asked: boolean }): void;
  /** The file cannot be used as it is; called once per content. */
  onProblem(problem: WorkbenchError): void;
  /** False: only `reload` reads the file. */
  readonly automatic?: boolean;
  readonly clock?: Clock;
  /** Replaces the operating system's notice of changes in a folder; returns the function that ends it. */
  readonly watchFolder?: WatchFolder;
}

export interface ConfigWatch {
  /** Reads the file now. */
  reload(): void;
  close(): void;
}

export type WatchFolder = (folder: string, onChange: (name: string | null) => void) => () => void;

/** Editors write a file in several steps. */
const settleMs = 200;
/** How long a file may be missing: some editors remove it before they write the new one. */
const missingMs = 1_000;
/** Not every file system reports changes, and none reports those behind a link to another folder. */
const pollMs = 2_000;

export function watchConfig(options: ConfigWatchOptions): ConfigWatch {
  const { path, automatic = true, clock = systemClock, watchFolder = watchFolderOfSystem } = options;
  const folders = new Map<string, () => void>();
  /** The configuration file and the env files that were read with it. */
  let files: readonly string[] = [path];
  let seenContent: string | undefined;
  let seenStamps: string | undefined;
  let missedBefore = false;
  let stopLook = () => {};
  let stopPoll = () => {};

  const lookSoon = (ms: number) => {
    stopLook();
    stopLook = clock.after(ms, () => look({ asked: false }));
  };
  const onChange = (folder: string) => (name: string | null) => {
    if (files.some((file) => dirname(file) === folder && (name === null || basename(file) === name)))
      lookSoon(settleMs);
  };
  const watchFolders = () => {
    if (!automatic) return;
    const wanted = new Set(files.map((file) => dirname(file)));
    for (const [folder, stop] of folders) {
      if (wanted.has(folder)) continue;
      stop();
      folders.delete(folder);
    }
    for (const folder of wanted) if (!folders.has(folder)) folders.set(folder, watchFolder(folder, onChange(folder)));
  };
  const poll = () => {
    const stamps = JSON.stringify(files.map(fileVersion));
    if (stamps !== seenStamps) lookSoon(settleMs);
    seenStamps = stamps;
    stopPoll = clock.after(pollMs, poll);
  };

  const look = (why: { readonly asked: boolean }) => {
    stopLook();
    const reading = createReading((file) => readConfigBytes(file, options));
    const missing = !why.asked && files.some(reading.isMissing);
    if (missing && !missedBefore) {
      missedBefore = true;
      lookSoon(missingMs);
      return;
    }
    missedBefore = false;
    if (!why.asked && reading.fingerprint(files) === seenContent) return;
    const used = new Set([path]);
    const outcome = tryRead(options, (file) => {
      used.add(file);
      return reading.read(file);
    });
    // A file that cannot be used may no longer name the other files that matter.
    files = 'config' in outcome ? [...used] : [...new Set([...files, ...used])];
    seenContent = reading.fingerprint(files);
    watchFolders();
    if ('config' in outcome) options.onConfig(outcome.config, why);
    else options.onProblem(outcome.problem);
  };

  watchFolders();
  if (automatic) stopPoll = clock.after(pollMs, poll);
  return {
    reload: () => look({ asked: true }),
    close() {
      stopLook();
      stopPoll();
      for (const stop of folders.values()) stop();
      folders.clear();
    },
  };
}

function tryRead(options: ConfigWatchOptions, read: ReadBytes): { config: Config } | { problem: WorkbenchError } {
  try {
    return { config: readConfig(options.path, options, read) };
  } catch (error) {
    if (error instanceof WorkbenchError) return { problem: error };
    throw error;
  }
}

/** The files of one check: each is read once, so that what is judged is what is remembered. */
function createReading(readBytes: ReadBytes) {
  const found = new Map<string, Buffer | NodeJS.ErrnoException>();
  const get = (path: string): Buffer | NodeJS.ErrnoException => {
    let content = found.get(path);
    if (content === undefined) {
      try {
        content = readBytes(path);
      } catch (error) {
        content = error as NodeJS.ErrnoException;
      }
      found.set(path, content);
    }
    return content;
  };
  return {
    read(path: string): Buffer {
      const content = get(path);
      if (content instanceof Error) throw content;
      return content;
    },
    isMissing(path: string): boolean {
      const content = get(path);
      return content instanceof Error && content.code === 'ENOENT';
    },
    fingerprint(files: readonly string[]): string {
      const hash = createHash('sha256');
      for (const file of [...files].sort()) {
        const content = get(file);
        hash.update(JSON.stringify([file, content instanceof Error ? content.code : content.length]));
        if (!(content instanceof Error)) hash.update(content);
      }
      return hash.digest('hex');
    },
  };
}

/** Where watching fails, or stops working, regular checks replace it. */
const watchFolderOfSystem: WatchFolder = (folder, onChange) => {
  try {
    const watcher = watchPath(folder, { persistent: false }, (_event, name) => onChange(name));
    watcher.on('error', () => watcher.close());
    return () => watcher.close();
  } catch {
    return () => {};
  }
};
