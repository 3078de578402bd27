// State of a remote worker.
import type { Heart } from '../../core/heartbeat/launch/heartbeat-row.ts';
import type { Project } from '../../core/store/local/project.ts';
import type { App } from '../../core/app/app.ts';
import type { Contact } from './server-contact.ts';

export interface Worker {
  app: App;
  /** The address of the server that it works for. */
  server: string;
  /** Its own project, and the folder of that. */
  project: Project;
  root: string;
  signal: AbortSignal;
  heart: Heart;
  contact: Contact;
  /** By lease. */
  atWork: Map<string, Promise<void>>;
  /** Those of them that are tasks. */
  tasks: Map<string, TaskAtWork>;
}

/** A task that it works on. */
export interface TaskAtWork {
  /** As its server knows it: S1/T1. */
  name: string;
  /** How far its agent said last that it is. */
  progress: string;
  /** Stops the task: its result is no longer wanted. */
  stop: AbortController;
}
