// The Chromium that browser tests run in: the one that `npm run browser` unpacked, else one that this machine has.
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright-core';
import type { Browser } from 'playwright-core';

/** Where `npm run browser` unpacks it. */
export const BROWSER_CACHE = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'council-browser');

/** The program in there. */
export const SHELL = join('usr', 'lib', 'chromium', 'chromium-headless-shell');
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];

interface Found {
  executablePath: string;
  /** Fonts that were unpacked beside it; empty for those of this machine alone. */
  fonts: string;
  /** Folders with the libraries that were unpacked beside it. */
  libraries: string[];
}

/** Undefined where there is none. */
export function findBrowser(): Found | undefined {
  const unpacked = join(BROWSER_CACHE, SHELL);
  if (existsSync(unpacked))
    return {
      executablePath: unpacked,
      libraries: librariesIn(BROWSER_CACHE),
      fonts: join(BROWSER_CACHE, 'usr', 'share'),
    };
  const paths = (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((dir) => NAMES.map((name) => join(dir, name)));
  const executablePath = paths.find((path) => existsSync(path));
  return executablePath === undefined ? undefined : { executablePath, libraries: [], fonts: '' };
}

/** The folders of libraries below one that packages were unpacked into. */
export function librariesIn(root: string): string[] {
  const machines = ['x86_64-linux-gnu', 'aarch64-linux-gnu'];
  const dirs = machines.flatMap((machine) =>
    ['usr/lib', 'lib'].flatMap((lib) => [join(root, lib, machine), join(root, lib, machine, 'pulseaudio')]),
  );
  return dirs.filter((dir) => existsSync(dir));
}

/** Starts it, without any window. */
export function launchBrowser({ executablePath, libraries, fonts }: Found): Promise<Browser> {
  return chromium.launch({
    executablePath,
    // Its own sandbox needs what containers do not give.
    chromiumSandbox: false,
    env: { ...process.env, LD_LIBRARY_PATH: libraries.join(':'), ...(fonts && { XDG_DATA_HOME: fonts }) },
  });
}
