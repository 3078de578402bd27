// The figures, in the sections of docs/performance.md.
import { BASE, folderOf, titleOf } from './base.ts';
import { buildFigures } from './builds.ts';
import { channelFigures } from './channels.ts';
import { coldFigures } from './cold.ts';
import type { Figure } from './figure.ts';
import { historyFigures } from './history.ts';
import { idleFigures } from './idle.ts';
import { manyFigures } from './many.ts';
import { messageFigures } from './messages.ts';
import { pageFigures } from './pages.ts';
import { postgresFigures } from './postgres.ts';
import { serveFigures } from './serve.ts';
import { sitePageFigures } from './site-pages.ts';
import { taskFigures } from './tasks.ts';
import { workFigures } from './work.ts';

export interface Section {
  name: string;
  figures: Figure[];
  /** Its figures do not depend on where the projects lie. */
  once?: true;
}

/** In the order of the issue that set these goals; the figures that it does not name come after. */
const USE = [
  ['version', 'build-version', 'respond', 'build-respond', 'respond-large', 'respond-32', 'build-respond-32'],
  [
    'tick',
    'build-tick',
    'tick-10000',
    'tick-due',
    'commit',
    'build-commit',
    'build-run',
    'build-run-32',
    'launch-32',
  ],
  [
    'run-archives',
    'status-10000',
    'build-status',
    'list-10000',
    'build-list',
    'heartbeat',
    'build-heartbeat',
    'history',
  ],
].flat();

/** All figures; those against another build are against `build`. */
export function sectionsOf(build: string = BASE): Section[] {
  const builds = buildFigures(() => folderOf(build), titleOf(build));
  const own = [...coldFigures, ...idleFigures, ...manyFigures, ...workFigures, ...historyFigures, ...builds];
  return [
    { name: 'use', figures: USE.flatMap((name) => own.filter((figure) => figure.name === name)) },
    { name: 'others', figures: own.filter(({ name }) => !USE.includes(name)) },
    { name: 'messages', figures: [...messageFigures, ...channelFigures], once: true },
    { name: 'tasks', figures: taskFigures, once: true },
    { name: 'postgres', figures: postgresFigures, once: true },
    { name: 'serve', figures: serveFigures, once: true },
    { name: 'pages', figures: [...pageFigures, ...sitePageFigures], once: true },
  ];
}
