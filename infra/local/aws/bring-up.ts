import type { PythonProgram } from '../python-packages.ts';
import { installedPackages } from '../python-packages.ts';
import { createApprovers } from './approvers.ts';
import { bootstrap, deploy, localTarget } from './deploy.ts';
import type { DeployedAws } from './deployed-aws.ts';
import type { EmulatorStart, LocalAwsAddress } from './emulator.ts';
import { startEmulator, stopEmulator, stopWithThisProcess, useLocalAws } from './emulator.ts';
import { connectPaymentService } from './payment-service.ts';

export interface BringUp extends Omit<EmulatorStart, 'program'> {
  /** CDK context, see infra/settings.ts. */
  readonly settings?: Readonly<Record<string, string>>;
}

type Say = (line: string) => void;

const requirements = new URL('requirements.txt', import.meta.url);

/**
 * Installs the emulator unless it is installed.
 *
 * @throws PlainError when there is no usable Python, or the installation fails
 */
export const installEmulator = (say: Say): Promise<PythonProgram> =>
  installedPackages({ folder: 'emulator', what: 'The local AWS', requirements }, say);

/** Prepares a local AWS for batches, one step at a time, so that a caller can show the progress. */
export class LocalAwsSetup {
  readonly #options: BringUp;
  #program: PythonProgram | undefined;
  #aws: LocalAwsAddress | undefined;
  #deployed: DeployedAws | undefined;
  #forget: () => void = () => {};

  constructor(options: BringUp) {
    this.#options = options;
  }

  /** See installEmulator. */
  async install(say: Say): Promise<void> {
    this.#program = await installEmulator(say);
  }

  async start(): Promise<void> {
    const { settings: _, ...options } = this.#options;
    this.#aws = await startEmulator({ program: before(this.#program, 'install'), ...options });
    this.#forget = stopWithThisProcess(this.#aws);
    useLocalAws(this.#aws);
  }

  async bootstrap(say: Say): Promise<void> {
    await bootstrap(localTarget(this.address), { onLine: say });
  }

  async deploy(say: Say): Promise<void> {
    const aws = this.address;
    const outputs = await deploy(localTarget(aws), { onLine: say, settings: this.#options.settings ?? {} });
    await connectPaymentService(outputs);
    const approvers = await createApprovers(outputs.PayoutOrchestrator.ApiUrl, aws.region);
    this.#deployed = { aws, outputs, approvers };
  }

  get address(): LocalAwsAddress {
    return before(this.#aws, 'start');
  }

  get deployed(): DeployedAws {
    return before(this.#deployed, 'deploy');
  }

  /** Lets the local AWS outlive this process. */
  leaveRunning(): void {
    this.#forget();
  }

  /** Stops the local AWS if it was started. */
  async stop(): Promise<void> {
    this.#forget();
    if (this.#aws !== undefined) await stopEmulator(this.#aws);
    this.#aws = undefined;
  }
}

const before = <Value>(value: Value | undefined, step: string): Value => {
  if (value === undefined) throw new Error(`The step "${step}" of the local AWS comes first`);
  return value;
};

/** Runs all steps. When one fails, it stops what it had started. */
export const bringUp = async (options: BringUp, say: Say): Promise<LocalAwsSetup> => {
  const setup = new LocalAwsSetup(options);
  try {
    await setup.install(say);
    say('Starting the local AWS');
    await setup.start();
    say('Preparing it for the CDK');
    await setup.bootstrap(() => {});
    say('Deploying both stacks');
    await setup.deploy(() => {});
    return setup;
  } catch (error) {
    await setup.stop();
    throw error;
  }
};
