// An archived council as the context of a new one, with those who sat there.
import { computeDigest, synthesisInWords } from '../archive/digest.ts';
import type { Archive } from '../archive/archive.ts';
import { findArchive } from '../archive/read.ts';
import { loadWords } from '../base/words/words.ts';
import type { App } from './app.ts';
import { toSizeAndHash } from './context/context-item.ts';
import type { ContextItem } from './context/context-item.ts';
import { loadAgents, openWorkspace } from './workspace.ts';

/** What an archived council hands on. */
export interface Precedent {
  path: string;
  archive: Archive;
  /** Those of its participants that are agents here; undefined where none is left. */
  agents: string[] | undefined;
  /** Its facts and its synthesis, without the contributions. */
  context: ContextItem;
}

/** Reads the archive that `ref` names, and says who of its table cannot sit any more. Throws `unknown_archive`. */
export async function readPrecedent(app: App, ref: string): Promise<Precedent> {
  const workspace = openWorkspace(app);
  const { path, archive } = await findArchive(workspace.ports.archives, ref);
  const registry = await loadAgents(app, workspace);
  const sat = archive.meta.participants.map(({ id }) => id);
  const here = sat.filter((id) => registry.find(id));
  const gone = sat.filter((id) => !here.includes(id));
  if (gone.length > 0) app.note(`Not seated again, because no agent has that id now: ${gone.join(', ')}.`);
  const w = loadWords(archive.meta.lang);
  const written = archive.synthesis.computed
    ? ''
    : `\n\n### ${w.archive.synthesis}\n\n${synthesisInWords(archive, w)}`;
  const text = `# ${archive.meta.topic}\n\n${computeDigest(archive)}${written}\n`;
  const context = { name: path, text, language: 'markdown', ...toSizeAndHash(Buffer.from(text)) };
  return { path, archive, agents: here.length > 0 ? here : undefined, context };
}
