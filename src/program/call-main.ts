// The program of one call that came over HTTP (commands/mcp.ts starts it): what it computes keeps no other call waiting.
import { keepCompiledCode } from './load-program.ts';

keepCompiledCode(process.env);
const { answerCall } = await import('./program.ts');
await answerCall();
