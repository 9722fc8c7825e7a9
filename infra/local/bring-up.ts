import { makeApprovers } from './approvers.ts';
import { connectPaymentService } from './connect-payment-service.ts';
import { bootstrap, deploy, localTarget } from './deploy.ts';
import type { DeployedAws } from './deployed-aws.ts';
import type { LocalAwsAddress } from './emulator.ts';
import { startEmulator, stopEmulator, stopWithThisProcess, useLocalAws } from './emulator.ts';
import { installedEmulator } from './emulator-install.ts';
import type { PythonProgram } from './python-packages.ts';

export interface BringUp {
  readonly port: number;
  readonly folder: string;
  /** What Wait states are multiplied by; 1 waits as AWS does. */
  readonly waitScale: number;
  /** CDK context, see infra/settings.ts. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Where functions are told that AWS is; left out, at the local AWS itself. */
  readonly functionsEndpoint?: string;
  /** What functions find in their environment besides. */
  readonly functionsEnvironment?: Readonly<Record<string, string>>;
}

type Say = (line: string) => void;

/** What a local AWS needs until batches can be run on it, a step at a time, so that each can be shown. */
export class LocalAwsSetup {
  readonly #options: BringUp;
  #program: PythonProgram | undefined;
  #aws: LocalAwsAddress | undefined;
  #deployed: DeployedAws | undefined;
  #forget: () => void = () => {};

  constructor(options: BringUp) {
    this.#options = options;
  }

  async install(say: Say): Promise<void> {
    this.#program = await installedEmulator(say);
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
    this.#deployed = { aws, outputs, approvers: await makeApprovers(outputs, aws.region) };
  }

  get address(): LocalAwsAddress {
    return before(this.#aws, 'start');
  }

  get deployed(): DeployedAws {
    return before(this.#deployed, 'deploy');
  }

  /** Lets it live on after this process. */
  leaveRunning(): void {
    this.#forget();
  }

  /** Stops what was started, if anything was. */
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

/** All steps at once. Stops what was started when one fails. */
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
