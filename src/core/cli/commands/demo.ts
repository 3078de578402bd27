// Command `demo`: a scripted debate with the live view, in a temporary folder.
import { demo } from '../../app/demo.ts';
import type { DemoInput } from '../../app/input/project.ts';
import { fitNotes } from '../fold.ts';
import { reporter } from '../live.ts';
import { toldInLines } from '../print.ts';
import type { Command } from '../spec.ts';
import { renderRunEnding } from './run.ts';

export const demoCommand: Command<DemoInput> = async (cli) => {
  const note = await fitNotes(cli);
  const view = reporter({ ...cli, note });
  const result = await demo({ ...cli, note, progress: view.onProgress }, view);
  const { folder, root } = result.document;
  const text = `${await renderRunEnding(cli, result, root)}\nAll of it is in this folder, which you may remove:\n  ${folder}\nAsk your own question with: council ask "…"`;
  return toldInLines(result, text);
};
