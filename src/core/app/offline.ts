// The offline panel: its participants, its mode, and the questions that it can answer.
import { PROGRAMS } from '../agents/runners/detect-programs.ts';
import type { Config } from '../base/config.ts';
import { CouncilError } from '../base/errors.ts';
import { looksLikeDocument } from '../base/front-matter-block.ts';
import type { App } from './app.ts';
import type { StartInput } from './input/council.ts';

/** The offline panel: reviewers that need no model, and the one that summarizes their findings. */
export const OFFLINE = {
  agents: ['consistency', 'completeness', 'structure', 'precision'],
  coordinator: 'rapporteur',
  /** The only mode they can play, since they give no verdict. */
  mode: 'check',
};

/**
 * Settings for the offline panel, which plays its own mode. Throws `usage` if the brief is not a
 * document; the error says who could answer it. `asked`: the panel was named explicitly. Without a
 * brief nothing is refused: the reviewers say so themselves.
 */
export function applyPanelSettings(
  app: App,
  input: StartInput,
  { config, brief, asked }: { config: Config; brief?: string; asked: boolean },
): Config {
  if (input.panel !== 'offline') return config;
  if (brief !== undefined) requireDocument(brief, input);
  if (!asked)
    app.note(
      'No agent in agents/ and none on PATH: using the offline panel (fixed rules, no model). It looks for what does not add up; it answers no question.',
    );
  if (input.mode !== undefined && input.mode !== OFFLINE.mode)
    app.note(
      `The offline panel gives no verdict and states no position: it plays the mode ${OFFLINE.mode}, not ${input.mode}.`,
    );
  return { ...config, mode: OFFLINE.mode };
}

/** Throws `usage` unless the brief is a document, naming who could answer it. */
export function requireDocument(text: string, { brief }: Pick<StartInput, 'brief'>): void {
  if (looksLikeDocument(text)) return;
  const isBrief = brief !== undefined;
  const programs = PROGRAMS.map(({ binary }) => binary).join(', ');
  throw new CouncilError(
    'usage',
    'Nobody at this table can answer a question: the offline panel only checks documents.',
    {
      hint: [
        'What you can do:',
        ...(isBrief
          ? []
          : ['- check a document, given as the brief: council run --panel offline --brief FILE']),
        '- let people answer: council agents add ana --runner human, then council run "…" --agents ana',
        `- install one of ${programs}: council run finds it`,
        '- name a model: council agents add mia --runner model --model mistral/mistral-large-latest (needs its key)',
      ].join('\n'),
    },
  );
}
