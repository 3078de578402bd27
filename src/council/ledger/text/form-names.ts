// The fields of a form, in all the spellings that people and models use for them.

/** What a contribution can declare about itself. */
export type FieldName =
  | 'position'
  | 'vote'
  | 'approve'
  | 'new'
  | 'same'
  | 'confidence'
  | 'agreed'
  | 'done'
  | 'blocking'
  | 'because';

/** The spellings of a field's name, in lower case: English, French, and how models call it. */
const NAMES: Record<FieldName, readonly string[]> = {
  position: [
    'position',
    'my position',
    'my position is',
    'final position',
    'ma position',
    'position finale',
    'ma position finale',
  ],
  vote: [
    'vote',
    'my vote',
    'i vote',
    'final vote',
    'voted',
    'mon vote',
    'je vote',
    'vote final',
    'mon vote final',
  ],
  approve: [
    'approve',
    'approves',
    'approved',
    'approvals',
    'i approve',
    'approbations',
    'approuve',
    'approuvé',
    'approuvée',
    'approuvées',
    'approuvés',
    'approuver',
    "j'approuve",
    'j’approuve',
  ],
  new: ['new', 'new position', 'nouvelle', 'nouvelle position'],
  same: [
    'same',
    'same as',
    'identical',
    'identique',
    'identiques',
    'pareil',
    'pareille',
    'pareils',
    'même',
    'mêmes',
  ],
  confidence: [
    'confidence',
    'my confidence',
    'confidence level',
    'confidence score',
    'confiance',
    'ma confiance',
    'niveau de confiance',
    'mon niveau de confiance',
    'degré de confiance',
    'assurance',
    'certitude',
  ],
  agreed: ['agreed', 'agree', 'accord', "d'accord", 'd’accord'],
  done: ['done', 'terminé', 'fini'],
  blocking: ['blocking', 'blocking issues', 'blockers', 'bloquant', 'bloquants', 'points bloquants'],
  because: ['because', 'parce que', 'raison'],
};
const FIELD_OF = new Map(
  Object.entries(NAMES).flatMap(([name, words]) => words.map((word) => [word, name as FieldName])),
);

/** The field that these words name, as they stand before a colon. */
export const fieldCalled = (words: string): FieldName | undefined => FIELD_OF.get(words.trim().toLowerCase());

/** The field that a key or a cell names, in any of its spellings. */
export const fieldNamed = (cell: string): FieldName | undefined =>
  fieldCalled(cell.replace(/[*`"':]|^_+|_+$/g, '').replace(/[_-]/g, ' '));
