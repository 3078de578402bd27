// Renders the file of an archive.
import { writeFrontMatter } from '../base/front-matter.ts';
import { measureText, writeMarked } from '../council/document/markers.ts';
import { writeBrief, writeContribution } from '../council/document/document.ts';
import { safe } from '../council/document/page.ts';
import type { Contribution, Council } from '../council/state/state.ts';
import { fill, wordsFor } from '../base/words/words.ts';
import type { Words } from '../base/words/words.ts';
import type { Archive, ArchiveMeta, LateFact, Synthesis } from './archive.ts';
import { shownIn, toursOf } from './archive.ts';
import { archiveOf } from './compose.ts';
import { costSection, failuresSection } from './cost-section.ts';
import { decisionSection } from './decision-section.ts';
import { ledgerSection, movesSection } from './ledger-section.ts';
import { measuresTable } from './measures.ts';
import { metricsIn } from './outcome.ts';
import {
  absencesList,
  blockingList,
  dissentList,
  endingList,
  lateList,
  moversList,
  positionsTable,
} from './sections.ts';

/** One line of front matter for each claim, challenge and move. */
const FLOW_LEVEL = 3;

/**
 * The archive's file of a council whose closing revision is committed: the same bytes at every call.
 * `readArchive` gives every fact and every text back. Throws `not_your_turn` for a council that is still open.
 */
export function renderArchive(council: Council, late: LateFact[]): string {
  const archive = archiveOf(council, late);
  const w = wordsFor(archive.meta.lang);
  const parts = [
    `# ${fill(w.archive.title, { topic: safe(archive.meta.topic) })}`,
    `## ${w.archive.brief}`,
    writeBrief(archive.brief),
    `## ${w.archive.synthesis}`,
    ...synthesis(archive, w),
    ...conclusions(archive, w),
    `## ${w.archive.transcript}`,
    w.archive.transcriptNote,
    ...transcript(archive, w),
  ];
  return writeFrontMatter(frontMatter(archive), `\n${parts.join('\n\n')}\n`, FLOW_LEVEL);
}

/** The sections that the engine writes about a finished council, in the archive and in its Markdown export. */
export function conclusions(archive: Archive, w: Words): string[] {
  return [
    `## ${w.archive.decision}`,
    ...decisionSection(archive, w),
    `## ${w.archive.positions}`,
    positionsTable(archive, w),
    `### ${w.archive.whoMoved}`,
    movesSection(archive, w) || moversList(archive, w),
    `## ${w.archive.ledger}`,
    ...ledgerSection(archive, w),
    `## ${w.archive.blockingIssues}`,
    blockingList(archive, w) || w.archive.noBlockingIssues,
    `## ${w.archive.dissent}`,
    dissentList(archive, w) || w.archive.noDissent,
    `## ${w.archive.absences}`,
    absencesList(archive, w) || w.archive.noAbsences,
    ...failuresSection(archive, w),
    `## ${w.archive.lateContributions}`,
    lateList(archive, w) || w.archive.noLate,
    `## ${w.archive.howItEnded}`,
    endingList(archive, w),
    `### ${w.archive.measures}`,
    measuresTable(metricsIn(archive), w),
    `### ${w.archive.costLaunches}`,
    ...costSection(archive, w),
  ];
}

/** The line under a contribution's heading. */
export function contributionFacts({ at, bytes, sha256, advocate }: Contribution, w: Words): string {
  const facts = fill(w.archive.contributionFacts, { at, bytes, sha256 });
  return advocate ? `${facts}. ${w.archive.caseAgainst}` : facts;
}

function frontMatter({ meta, absences, late }: Archive): Record<string, unknown> {
  // The file's place is not written into it: it may be moved. JSON drops what is undefined and what is shared.
  const { id: _id, path: _path, ...facts } = meta;
  return JSON.parse(JSON.stringify({ ...facts, absences, late })) as Record<string, unknown>;
}

function synthesis({ meta, synthesis: written, contributions }: Archive, w: Words): string[] {
  const said = contributions.find((c) => isSynthesis(c) && c.by === written.by);
  if (!said) return [writeMarked({ kind: 'digest', facts: measureText(written.text), text: written.text })];
  return [...synthesisFacts(meta, written, w), contributionFacts(said, w), writeContribution(said)];
}

/** Who wrote the synthesis, and that it is not the decision where it names another one. */
export function synthesisFacts(
  meta: ArchiveMeta,
  { by, lender, model, contradicts }: Synthesis,
  w: Words,
): string[] {
  const participant = shownIn(meta, by ?? '');
  const from = shownIn(meta, lender ?? '');
  return [
    lender === null
      ? fill(w.archive.synthesisBy, { participant })
      : fill(w.archive.synthesisBorrowed, {
          participant,
          lender: from,
          model: safe(model ?? w.archive.unknown),
        }),
    ...(contradicts ? [`**${w.archive.synthesisContradicts}**`] : []),
  ];
}

function transcript(archive: Archive, w: Words): string[] {
  return toursOf(archive).flatMap(([tour, phase]) => {
    // The synthesis stands above, once.
    if (phase === 'SYNTHESIZE') return [];
    const said = archive.contributions.filter((c) => c.tour === tour);
    return [
      `### ${fill(w.archive.transcriptPhase, { phase, tour })}`,
      ...(said.length === 0 ? [w.archive.noContributions] : []),
      ...said.flatMap((c) => [
        `#### ${shownIn(archive.meta, c.by)}`,
        contributionFacts(c, w),
        writeContribution(c),
      ]),
    ];
  });
}

const isSynthesis = (c: Contribution): boolean => c.phase === 'SYNTHESIZE';
