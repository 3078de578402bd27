/** Stands for a file with a text, outside the project. */
export const TEXT = 'TEXT';

/** Commands, each with its arguments: they read, they mend, they change. */
export const LOOKS: string[][] = [
  ['status'],
  ['status', '--json'],
  ['list', '--json'],
  ['doctor', '--json'],
  ['show', 'gamma'],
  ['show', 'delta', '--json'],
  ['search', 'word'],
  ['view', 'bob', '--name', 'alpha'],
  ['view', 'bob', '--name', 'beta', '--json'],
  ['history', '--name', 'alpha'],
  ['ledger', '--name', 'alpha', '--json'],
  ['metrics', '--name', 'alpha'],
  ['cost', '--json'],
  ['export', 'gamma', '--format', 'adr'],
  ['agents', 'list'],
  ['modes'],
];
export const CHANGES: string[][] = [
  ['tick', '--no-launch', '--json'],
  ['tick', '--until-idle', '--no-launch'],
  ['tick'],
  ['restore', '--name', 'alpha'],
  ['restore', '2', '--name', 'alpha'],
  ['adopt', '--name', 'beta'],
  ['cancel', '--name', 'beta', '--why', 'enough', '--json'],
  ['extend', '1h', '--name', 'alpha'],
  ['excuse', 'bob', '--name', 'beta', '--why', 'away'],
  ['respond', 'bob', '--name', 'alpha', '--json', '--file', TEXT],
  ['respond', 'bob', '--name', 'beta', '--file', TEXT],
  ['start', 'Once more?', '--name', 'epsilon', '--agents', 'ana,cleo'],
  ['start', 'Once more?', '--name', 'gamma', '--agents', 'ana,cleo'],
  ['send', 'bob', 'hello'],
  ['init', '--no-detect'],
];
