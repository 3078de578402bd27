// Doctor: what another machine or a program that syncs has left beside council's own files.
import { shellWord } from '../../base/shell.ts';
import type { Copy } from '../../store/census.ts';
import { asideDocument, tellOfAside } from '../conflict-answers.ts';
import type { AsideCouncil } from '../conflict-answers.ts';
import { about } from './finding.ts';
import type { Finding } from './finding.ts';

/** Answers that lie aside; then files that hold none, or that cannot be read. `others` are copies of what is no council. */
export function asideFindings(councils: AsideCouncil[], others: Copy[]): Finding[] {
  const { warning } = about('store');
  return [
    ...councils.flatMap(({ name, isOver, answers }) =>
      answers.map((one) => {
        const fix = `council adopt --name ${name} --file ${shellWord(one.path)}`;
        return warning(tellOfAside(name, asideDocument(one), isOver), isOver ? undefined : fix);
      }),
    ),
    // Until its answers are taken over, what else holds the same is not told.
    ...councils.flatMap(({ branches, answers }) =>
      branches.copies.flatMap((copy) => {
        const isWhole = branches.whole.includes(copy.path);
        return isWhole && answers.length > 0 ? [] : toConflictCopyFinding(copy, isWhole);
      }),
    ),
    ...others.map((copy) => toConflictCopyFinding(copy, false)),
  ];
}

const toConflictCopyFinding = ({ path, of }: Copy, isKnown: boolean): Finding =>
  about('store').warning(
    isKnown
      ? `${path} is a copy of ${of}, and every answer in it stands in the council as well.`
      : `${path} is a copy of ${of}, and council does not look at what it says.`,
    isKnown
      ? `rm ${shellWord(path)}`
      : `diff ${shellWord(of)} ${shellWord(path)}, then: rm ${shellWord(path)}`,
  );
