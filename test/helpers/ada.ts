// A project of ada's and bob's, and tokens of its server.
import { newProject } from './cli.ts';
import type { Project } from './cli.ts';
import { addAgent } from './speakers.ts';

/** A token of that role, as it was printed. */
export async function createToken(project: Project, role: string): Promise<string> {
  const { json } = await project.council<{ token: string }>(['token', 'create', '--role', role, '--json']);
  return json.token;
}

/** A project with two agents, ada and bob. */
export async function projectWithAda(): Promise<Project> {
  const project = await newProject();
  for (const id of ['ada', 'bob']) addAgent(project, id);
  return project;
}
