// Archive section on the controls: what programs said when they reconsidered their own answer alone.
import { fill } from '../base/words/words.ts';
import type { Words } from '../base/words/words.ts';
import { safe } from '../council/document/escape-markdown.ts';
import { cutForm, isShown } from './contribution-notes.ts';
import { embedMarkdown } from './embed-markdown.ts';
import { renderParticipantName } from './archive.ts';
import type { ArchiveMeta } from './archive.ts';

type Answer = NonNullable<NonNullable<ArchiveMeta['control']>['answers']>[number];

/** Blocks of Markdown; empty for a council without a control. */
export function controlSection(meta: ArchiveMeta, w: Words): string[] {
  const { control, metrics } = meta;
  if (!control) return [];
  const { answers = [], launched } = control;
  const of = (id: string): Answer | undefined => answers.find(({ participant }) => participant === id);
  return [
    `## ${w.control.title}`,
    w.control.intro,
    ...(metrics.control ? [fill(w.control.figures, { ...metrics.control })] : []),
    ...(launched.length === 0 ? [w.control.none] : []),
    ...launched.flatMap(({ participant }) => [
      `### ${renderParticipantName(meta, participant)}`,
      ...renderAnswer(of(participant), w),
    ]),
  ];
}

function renderAnswer(answer: Answer | undefined, w: Words): string[] {
  if (!answer) return [w.control.cut];
  const { text, position, moved, failed = '' } = answer;
  if (text === null) return [fill(w.control.failed, { why: safe(failed) })];
  const { form, body } = cutForm(text);
  const sentence = moved === null ? w.control.unread : moved ? w.control.moved : w.control.kept;
  return [fill(sentence, { position: safe(position ?? '') }), embedMarkdown(isShown(form) ? body : text, 3)];
}
