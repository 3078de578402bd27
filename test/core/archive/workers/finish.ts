// Archives the council "test" of a project in a process of its own: finish.ts PROJECT STATE_HOME
import { join } from 'node:path';
import { archivePorts } from '../ports.ts';
import { finishArchive } from '../../../../src/core/archive/write.ts';
import { readCouncil } from '../../../../src/core/council/use/council-access.ts';
import { readStamp } from '../../../../src/core/council/document/document.ts';
import { fileStore } from '../../../../src/core/store/file/file-store.ts';

const [project = '', stateHome = ''] = process.argv.slice(2);
const store = fileStore({ dir: join(project, 'memory', 'shared'), prefix: 'council-', readStamp });
const ports = archivePorts(store, project, stateHome);
const live = await store.read('test');
console.log(live ? (await finishArchive(ports, await readCouncil(ports, 'test'))).path : 'gone');
