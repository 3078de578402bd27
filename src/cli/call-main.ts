// The program of one call that came over HTTP (commands/mcp.ts starts it): what it computes keeps nobody else waiting.
import { loadProgram } from './load-program.ts';

await loadProgram('program', 'call').answerCall();
