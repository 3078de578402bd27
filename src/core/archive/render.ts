// Renders the file of an archive.
import { writeFrontMatter } from '../base/front-matter.ts';
import { openFence } from './embed-markdown.ts';
import { writeMarked } from '../council/document/markers.ts';
import type { Marked } from '../council/document/markers.ts';
import type { Council } from '../council/state/state.ts';
import type { LateFact } from './archive.ts';
import { writeBlock } from './archive-block.ts';
import { composeArchive } from './compose-archive.ts';
import { buildArchiveFront } from './archive-front-matter.ts';
import { pageParts } from './page.ts';
import { selectStorableForms, buildArchiveBlock } from './block-facts.ts';

/**
 * The archive's file of a council whose closing revision is committed: the same bytes at every call. Texts stand on the page, all
 * other facts in the block; `readArchive` gives both back. Throws `not_your_turn` for a council that is still open.
 */
export function renderArchive(council: Council, late: LateFact[]): string {
  const archive = composeArchive(council, late);
  const forms = selectStorableForms(archive.contributions);
  const page = pageParts(archive, {
    brief: (text) => writeMarkedAndCloseFence({ kind: 'brief', facts: {}, text }),
    digest: (text) => writeMarkedAndCloseFence({ kind: 'digest', facts: {}, text }),
    contribution: (said) =>
      writeMarkedAndCloseFence({
        kind: 'response',
        facts: { by: said.by, tour: said.tour },
        text: said.text.slice(forms.get(said)?.length ?? 0),
      }),
  });
  const body = `${page.join('\n\n')}\n\n`;
  const facts = buildArchiveBlock(archive, body);
  return writeFrontMatter(buildArchiveFront(facts), `${body}${writeBlock(facts)}\n`);
}

/** A marked text, and behind it the end of a code fence that it leaves open: what follows is no code. */
const writeMarkedAndCloseFence = (marked: Marked): string =>
  [writeMarked(marked), openFence(marked.text)].filter((part) => part !== '').join('\n\n');
