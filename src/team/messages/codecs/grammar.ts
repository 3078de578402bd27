// The grammars of the lines V2 to V5 as data: segments, patterns, types, codes and limits of each version.
import type { MessageKind, Priority } from '../message.ts';

/** Roles by the first letter of a name in a line. */
export const ROLE_OF: Readonly<Record<string, 'orchestrator' | 'worker' | 'router' | 'group'>> = {
  O: 'orchestrator',
  W: 'worker',
  R: 'router',
  G: 'group',
};

export const PRIORITY_OF: Readonly<Record<string, Priority>> = { P0: 'critical', P1: 'normal', P2: 'low' };

export type LineVersion = 'v2' | 'v3' | 'v4' | 'v5';

/** What a segment contains, which decides how it is decoded and encoded. */
export type SegmentContent =
  'id' | 'role' | 'route' | 'kind' | 'task' | 'priority' | 'state' | 'error' | 'depth' | 'context' | 'budget';

/** One segment before DATA. */
export interface Segment {
  name: string;
  holds: SegmentContent;
  /** This version's code for an invalid segment. */
  code: string;
  expected: string;
  read: RegExp;
  /** The pattern for writing, if stricter. */
  write?: RegExp;
  /** True if `-` stands for no value. */
  optional?: true;
}

export interface Grammar {
  /** All segments but the last, which is DATA, in the order of the line and of the checks. */
  segments: readonly Segment[];
  types: Types;
  /** Types that are accepted, but never written. */
  readTypes?: Types;
  /** The code for a wrong number of segments, and for empty DATA. */
  countCode: string;
  data: {
    /** The characters forbidden in DATA; a line cannot contain line breaks anyway. */
    forbidden: RegExp;
    named: string;
    code: string;
    /** Maximum length in code points, and the code for writing a longer text. */
    most?: { characters: number; code: string };
  };
}

type Types = Readonly<Record<string, MessageKind>>;

const V2_TYPES = {
  R: 'request',
  S: 'response',
  C: 'clarify',
  U: 'update',
  A: 'ack',
  E: 'error',
} as const satisfies Types;
const V3_TYPES = { ...V2_TYPES, B: 'broadcast' } as const satisfies Types;
const V4_TYPES = { ...V3_TYPES, H: 'heartbeat' } as const satisfies Types;
const V5_TYPES = {
  ...V4_TYPES,
  D: 'disambiguate',
  J: 'join',
  L: 'leave',
  K: 'caps',
  X: 'handoff',
} as const satisfies Types;
/** Types that occur in examples, but not in the table of types. */
const V5_READ_TYPES = { Q: 'query' } as const satisfies Types;

type Pattern = Pick<Segment, 'read' | 'write' | 'optional'>;
const createSegment = (
  holds: SegmentContent,
  name: string,
  code: string,
  expected: string,
  pattern: Pattern,
): Segment => ({
  holds,
  name,
  code,
  expected,
  ...pattern,
});

const createLongIdSegment = (code: string): Segment =>
  createSegment('id', 'msg', code, 'MSG_ and digits', { read: /^MSG_\d+$/ });
const createLongTaskSegment = (code: string, expected = 'TASK_ and digits, or -'): Segment =>
  createSegment('task', 'task', code, expected, { read: /^TASK_\d+$/, optional: true });

const createShortIdSegment = (code: string): Segment =>
  createSegment('id', 'msg', code, 'M1 to M9999', { read: /^M\d{1,4}$/, write: /^M[1-9]\d{0,3}$/ });
const createShortTaskSegment = (name: string, code: string): Segment => {
  const pattern = { read: /^T\d{1,3}$/, write: /^T[1-9]\d{0,2}$/, optional: true } as const;
  return createSegment('task', name, code, 'T1 to T999, or -', pattern);
};

const createPrioritySegment = (code: string): Segment =>
  createSegment('priority', 'pri', code, 'P0, P1, P2 or -', { read: /^P[0-2]$/, optional: true });
const createStateSegment = (code: string): Segment =>
  createSegment('state', 'state', code, 'N, R, D, F, X or -', { read: /^[NRDFX]$/, optional: true });

/** Builds the segment for a version's type letters. `readTypes` are accepted, but never written. */
function createTypeSegment(code: string, types: Types, readTypes: Types = {}): Segment {
  const letters = Object.keys(types);
  const matchLetters = (all: string[]): RegExp => new RegExp(`^[${all.join('')}]$`);
  const read = matchLetters([...letters, ...Object.keys(readTypes)]);
  return createSegment('kind', 'type', code, `one of ${letters.join(' ')}`, {
    read,
    write: matchLetters(letters),
  });
}

const createErrorSegment = (code: string, write = /^E\d{2}$/): Segment =>
  createSegment('error', 'err', code, 'E and two digits, or -', { read: /^E\d{2}$/, write, optional: true });

const V4_ID = String.raw`(?:[ORG][1-9]|W[1-9]\d?)(?:\.[A-Za-z0-9]+)?`;
const V5_ID = String.raw`(?:[OWRG][1-9]\d?(?:\.[A-Za-z0-9]+)?|User)`;
/** Returns the pattern for writing a route: names of up to ten characters, `most` in total. */
const createRoutePattern = (most: number): RegExp =>
  new RegExp(String.raw`^(?=.{1,${most}}$)(?=[^>]{1,10}>[^>]{1,10}$)${V4_ID}>(?:${V4_ID}|\*|W\*)$`);

const createShortRouteSegment = (id: string, most: number): Segment =>
  createSegment('route', 'route', 'E13', 'FROM>TO of O1-O9, W1-W99, R1-R9, G1-G9; to * or W* as well', {
    read: new RegExp(`^${id}>(?:${id}|\\*|W\\*)$`),
    write: createRoutePattern(most),
  });

const v2: Grammar = {
  segments: [
    createLongIdSegment('E02'),
    createSegment('role', 'role', 'E02', 'O or W', { read: /^[OW]$/ }),
    createTypeSegment('E02', V2_TYPES),
    createLongTaskSegment('E02', 'TASK_ and digits (an A may have -)'),
  ],
  types: V2_TYPES,
  countCode: 'E02',
  data: { forbidden: /[|\r\n]/, named: '|', code: 'E02' },
};

const v3: Grammar = {
  segments: [
    createLongIdSegment('E05'),
    createSegment('route', 'route', 'E05', 'FROM>TO, such as O1>W1 or O1>*', {
      read: /^[OW][1-9]\d*>(?:[OW][1-9]\d*|\*)$/,
    }),
    createTypeSegment('E05', V3_TYPES),
    createLongTaskSegment('E05'),
    createPrioritySegment('E05'),
    createStateSegment('E05'),
  ],
  types: V3_TYPES,
  countCode: 'E05',
  data: { forbidden: /[|>\r\n]/, named: '| or >', code: 'E05' },
};

const v4: Grammar = {
  segments: [
    createShortIdSegment('E05'),
    createShortRouteSegment(V4_ID, 10),
    createTypeSegment('E14', V4_TYPES),
    createShortTaskSegment('task', 'E05'),
    createPrioritySegment('E10'),
    createStateSegment('E15'),
    createErrorSegment('E05', /^E(?!00)\d{2}$/),
  ],
  types: V4_TYPES,
  countCode: 'E03',
  data: { forbidden: /[|>\r\n]/, named: '| or >', code: 'E02', most: { characters: 200, code: 'E02' } },
};

const v5: Grammar = {
  segments: [
    createShortIdSegment('E10'),
    createShortRouteSegment(V5_ID, 12),
    createTypeSegment('E14', V5_TYPES, V5_READ_TYPES),
    createShortTaskSegment('tid', 'E10'),
    createPrioritySegment('E11'),
    createStateSegment('E15'),
    createErrorSegment('E10'),
    createSegment('depth', 'depth', 'E16', '0 to 5', { read: /^[0-5]$/, optional: true }),
    createSegment(
      'context',
      'ctx',
      'E10',
      'S and up to 7 lower-case letters or digits, or SID:NONCE:SIG, or -',
      {
        read: /^S[a-z0-9]+(?::[0-9A-Fa-f]{4}:[0-9A-Fa-f]{8})?$/,
        write: /^S(?!0$|0:)[a-z0-9]{1,7}(?::[0-9a-f]{4}:[0-9a-f]{8})?$/,
        optional: true,
      },
    ),
    createSegment('budget', 'budget', 'E10', 'B0 to B9999, or -', {
      read: /^B0*\d{1,15}$/,
      write: /^B\d{1,4}$/,
      optional: true,
    }),
  ],
  types: V5_TYPES,
  readTypes: V5_READ_TYPES,
  countCode: 'E10',
  data: { forbidden: /[|>\r\n]/, named: '| or >', code: 'E12', most: { characters: 200, code: 'E10' } },
};

export const GRAMMARS: Record<LineVersion, Grammar> = { v2, v3, v4, v5 };
