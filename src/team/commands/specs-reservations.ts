// Specs of the commands by which agents and people share the files of a project (data).
import { releaseFields, reservationsFields, reserveFields } from '../input/reservations.ts';
import { command } from '../../core/cli/spec.ts';
import type { CommandSpec } from '../../core/cli/spec.ts';

/** The commands of reservations. */
export const reservationSpecs: CommandSpec[] = [
  command({
    name: 'reserve',
    fields: reserveFields,
    summary: 'reserve files before changing them; refused where somebody else has them',
    details:
      'Patterns are relative to the project folder: * and ? stay in one folder, ** goes through folders, [abc] and {a,b} are choices; a folder stands for all that is in it. Several patterns are reserved all or none. The same again renews. Nothing keeps anybody from writing: it is an agreement, which --check enforces as a pre-commit hook of git. See docs/reservations.md.',
    examples: [
      'council reserve "src/queue/**" test/queue.test.ts --as codex-1 --why "retries"',
      'council reserve docs --as ana --for 30m --shared',
      'council reserve src --as claude-1 --pid $PPID --ask',
      'council reserve --check --as claude-1',
    ],
    load: async () => (await import('./reservations.ts')).reserveCommand,
  }),
  command({
    name: 'release',
    fields: releaseFields,
    summary: 'give up reservations',
    examples: ['council release --as codex-1', 'council release r3 r4 --as codex-1'],
    load: async () => (await import('./reservations.ts')).releaseCommand,
  }),
  command({
    name: 'reservations',
    fields: reservationsFields,
    summary: 'who has reserved which files, what for, and for how long',
    examples: ['council reservations', 'council reservations --json'],
    load: async () => (await import('./reservations.ts')).reservationsCommand,
  }),
];
