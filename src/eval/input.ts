// Fields and input type of the use case `eval`.
import { runFields } from '../core/app/input/council.ts';
import type { Fields, InputOf } from '../core/app/input/fields.ts';
import { TABLE } from '../core/app/input/table.ts';

export const evalFields = {
  questions: {
    kind: 'text',
    argument: true,
    longest: 4096,
    help: 'questions with known answers: a file of JSON lines, a Markdown brief, or a folder of these',
    otherwise: 'those of the record',
  },
  agents: TABLE.agents,
  repeat: {
    kind: 'number',
    min: 1,
    max: 100,
    placeholder: 'n',
    help: 'play each question n times',
    otherwise: '1, or as recorded',
  },
  limit: {
    kind: 'number',
    min: 1,
    placeholder: 'n',
    help: 'play the first n questions only',
    otherwise: 'all, or as recorded',
  },
  record: {
    kind: 'path',
    help: 'the folder that keeps every answer and the report; what it has already is not asked again',
    otherwise: 'the name of the questions, with .eval',
  },
  replay: {
    kind: 'path',
    help: 'report anew on what a folder has recorded, and launch nobody',
  },
  budgetUsd: TABLE.budgetUsd,
  timeout: TABLE.timeout,
  lang: TABLE.lang,
  concurrency: runFields.concurrency,
  trust: TABLE.trust,
  yes: runFields.yes,
} as const satisfies Fields;
export type EvalInput = InputOf<typeof evalFields>;
