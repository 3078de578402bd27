// Says who at a table can read the project's files, and open the pictures of a question.
import { canRead } from '../agents/runner-kind.ts';
import type { CouncilState } from '../council/state/state.ts';
import type { App } from './app.ts';

/** Who can read the project's files by itself, and who cannot; and who can open `pictures`. */
export function tellReaders(app: App, { read, order, participants }: CouncilState, pictures: string[]): void {
  if (pictures.length > 0) tellPictures(app, { read, order, participants }, pictures);
  if (read !== 'project') return;
  const programs = order.filter((id) => participants[id]?.runner !== 'human');
  const readers = programs.filter((id) => canRead(participants[id]!.runner));
  const others = programs.filter((id) => !readers.includes(id));
  if (readers.length > 0) app.note(`Reading the project's files, and changing none: ${readers.join(', ')}.`);
  if (others.length > 0) {
    const why = others.map((id) => `${id} (${participants[id]!.runner})`).join(', ');
    app.note(`Without tools for that, on the brief alone: ${why}. --file puts files into the brief.`);
  }
}

/** Pictures are not sent: those who can read the project open the files themselves. */
function tellPictures(
  app: App,
  { read, order, participants }: Pick<CouncilState, 'read' | 'order' | 'participants'>,
  pictures: string[],
): void {
  const opens = (id: string): boolean => {
    const { runner } = participants[id]!;
    return runner === 'human' || (read === 'project' && canRead(runner));
  };
  const [can, cannot] = [order.filter(opens), order.filter((id) => !opens(id))];
  const names = pictures.join(', ');
  if (can.length > 0) app.note(`Can open ${names}, where their model takes pictures: ${can.join(', ')}.`);
  if (cannot.length > 0)
    app.note(
      `Do not get ${names}, only its name: ${cannot.join(', ')}.${read === 'project' ? '' : ' With --read project, programs that can read can open it.'}`,
    );
}
