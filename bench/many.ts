// The figures over very many archives that are searched.
import type { Figure } from './figure.ts';
import { council, emptyNode, pairwise, timeOne } from './measure.ts';
import { archiveMany } from './populate.ts';
import { makeProject, prose, run, settle } from './projects.ts';

const PEOPLE = ['ana', 'ben', 'cleo'];
const ARCHIVES = 1000;
const ARCHIVE_BYTES = 10 * 1024;

/** One word of every ten archives, and of no other text. */
const RARE = 'escrow';

const search: Figure = {
  name: 'search',
  what: `council search, ${ARCHIVES} archives of 10 KB, index up to date`,
  against: 'an empty process of the same Node, plus twice grep -ri',
  goal: 1,
  async measure(scratch) {
    const project = makeProject(scratch, PEOPLE);
    const said = (at: number): string =>
      `${at % 10 === 0 ? `${RARE} ` : ''}${prose(ARCHIVE_BYTES - 4 * 1024, at + 2)}`;
    archiveMany(project, PEOPLE, { count: ARCHIVES, said });
    settle();
    const { root, env } = project;
    const grep = { command: 'grep', args: ['-ri', RARE, 'conseils'], cwd: root, env };
    const [ours, empty] = [council(['search', RARE, '--limit', '1000'], root, env), emptyNode(root, env)];
    const { results } = JSON.parse(run(project, ['search', RARE, '--limit', '1000', '--json'])) as {
      results: unknown[];
    };
    if (results.length !== ARCHIVES / 10)
      throw new Error(`${results.length} archives were found instead of ${ARCHIVES / 10}.`);
    return pairwise(
      25,
      () => timeOne(ours),
      () => timeOne(empty) + 2 * timeOne(grep),
    );
  },
};

/** The figures over very many files. */
export const manyFigures = [search];
