// docs/positions.svg: who held which position in which round of the README's debate, drawn from its archive by the command.
import { sandbox } from './sandbox.ts';
import { scenes } from './scenes.ts';

/** Plays the debate and lets council draw it. */
export async function positions(): Promise<string> {
  const scene = sandbox('archived');
  try {
    await scenes.archived!(scene);
    return await scene.shell('council export conseils/*.md --format svg');
  } finally {
    scene.remove();
  }
}
