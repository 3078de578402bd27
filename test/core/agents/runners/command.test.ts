import { createCommandRunner } from '../../../../src/core/agents/runners/command.ts';
import { runnerContract } from '../../../contracts/runner.ts';

runnerContract('the command runner', createCommandRunner);
