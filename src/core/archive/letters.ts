// The names behind the letters of an archive.
import { safe } from '../council/document/page.ts';
import { makeLetterFinder } from '../council/naming/reveal-names.ts';
import type { LedgerOfClaims } from '../council/naming/labels.ts';
import type { FindLetters } from '../council/naming/reveal-names.ts';
import type { ArchiveMeta } from './archive.ts';

type MetaWithLetters = Omit<ArchiveMeta, 'ledger' | 'metrics' | 'ballot'> & LedgerOfClaims;

/** Finds the letters in the texts of a council that is over, with titles for people: the id too where two have the same. */
export function findArchiveLetters({ meta }: { meta: MetaWithLetters }): FindLetters {
  const { participants } = meta;
  const nameOf = (id: string): string => {
    const { title } = participants.find((one) => one.id === id)!;
    const isShared = participants.filter((one) => one.title === title).length > 1;
    return safe(isShared ? `${title} (${id})` : title);
  };
  return makeLetterFinder({ ...meta, order: participants.map(({ id }) => id) }, nameOf);
}
