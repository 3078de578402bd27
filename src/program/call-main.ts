// Entry point for a single call received over HTTP (see commands/mcp.ts), which so blocks no other call.
import { keepCompiledCode } from './load-program.ts';

keepCompiledCode(process.env);
const { answerCall } = await import('./program.ts');
await answerCall();
