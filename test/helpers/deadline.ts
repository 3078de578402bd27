import { ON_POSTGRES, until } from './cli.ts';
import type { Project } from './cli.ts';

/**
 * Puts the deadline of the open phase into the past, as a person would: by hand, and adopted.
 * A run beside it may write the file over the edit: then the file is edited again.
 */
export async function passDeadline(project: Project, name = 'active-conversation'): Promise<void> {
  const path = `memory/shared/council-${name}.md`;
  await until('the edited deadline is adopted', async () => {
    const edited = project
      .read(path)
      .toString()
      .replace(/"timeoutAt": *"[^"]*"/, '"timeoutAt": "2020-01-01T00:00:00.000Z"');
    // A database has no file to edit: a copy is taken.
    const file = ON_POSTGRES ? project.write('edited.md', edited) : project.write(path, edited);
    const given = ON_POSTGRES ? ['--file', file] : [];
    const { code, stderr } = await project.council(['adopt', '--name', name, ...given]);
    if (code !== 0 && !stderr.includes('was not edited'))
      throw new Error(`The deadline was not adopted: ${stderr}`);
    return code === 0;
  });
}
