// Doctor: the Node version and council's own templates.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { markdownFiles, packageDir } from '../../store/local/project.ts';
import { about } from './finding.ts';
import type { Finding } from './finding.ts';

/** Is the running Node one of those that package.json asks for (`>=22.18`)? */
export function nodeFindings(version: string, range: string): Finding[] {
  const { ok, error } = about('node');
  const [major = 0, minor = 0] = numbers(version);
  const [needsMajor = 0, needsMinor = 0] = numbers(range);
  const enough = major > needsMajor || (major === needsMajor && minor >= needsMinor);
  return enough
    ? [ok(`Node ${version} (needed: ${range})`)]
    : [error(`Node ${version} is too old: council needs ${range}.`, 'Install Node 24: https://nodejs.org')];
}

const numbers = (text: string): number[] => (/\d+(?:\.\d+)*/.exec(text)?.[0] ?? '').split('.').map(Number);

/** What council brings along, by its place in the package. */
const NEEDED = [
  'templates/COUNCIL.md',
  'templates/COUNCIL.fr.md',
  'templates/agents/rapporteur.md',
  'templates/agents/prompts/worker.md',
  'dist/call.js',
  'dist/panel.js',
];

/** Is everything there that came with council? Throws `failed` where its package is not found at all. */
export function templateFindings(): Finding[] {
  const { ok, error } = about('templates');
  const home = packageDir();
  const missing = NEEDED.filter((path) => !existsSync(join(home, path)));
  const modes = markdownFiles(join(home, 'templates', 'modes')).filter(({ text }) => text !== undefined);
  if (modes.length === 0) missing.push('templates/modes/*.md');
  return missing.length > 0
    ? [error(`Missing in ${home}: ${missing.join(', ')}.`, 'Install council again (in a clone: npm ci)')]
    : [ok(`${modes.length} modes, agents and house rules in ${join(home, 'templates')}`)];
}
