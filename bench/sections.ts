// The figures, in the sections of docs/performance.md.
import { coldFigures } from './cold.ts';
import type { Figure } from './figure.ts';
import { idleFigures } from './idle.ts';
import { serveFigures } from './serve.ts';
import { workFigures } from './work.ts';

export interface Section {
  name: string;
  figures: Figure[];
  /** Its figures do not depend on where the projects lie. */
  once?: true;
}

export const SECTIONS: Section[] = [
  { name: 'use', figures: [...coldFigures, ...workFigures, ...idleFigures] },
  { name: 'serve', figures: serveFigures, once: true },
];
