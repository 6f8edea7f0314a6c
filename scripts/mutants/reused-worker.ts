import {
  ForksPoolWorker,
  type PoolOptions,
  type PoolWorker,
  type VitestPluginContext,
  type WorkerRequest,
} from 'vitest/node';

type Listener = (value: unknown) => void;

/** The worker, reused for all mutants: loading the shop takes longer than most tests. */
let shared: ForksPoolWorker | undefined;

/** For Vitest a worker that starts and stops with each run. */
class ReusedWorker implements PoolWorker {
  readonly name = 'reused';
  readonly cacheFs = true;
  readonly #options: PoolOptions;
  readonly #listeners: [event: string, listener: Listener][] = [];
  #isFirst = false;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    if (shared) return;
    this.#isFirst = true;
    const worker = new ForksPoolWorker(this.#options);
    await worker.start();
    worker.on('exit', () => {
      shared = undefined;
    });
    shared = worker;
  }

  async stop(): Promise<void> {
    for (const [event, listener] of this.#listeners) shared?.off(event, listener);
  }

  send(message: WorkerRequest): void {
    if (message.type === 'start' && !this.#isFirst) this.#answer('started');
    else if (message.type === 'stop') this.#answer('stopped');
    else shared?.send(message.type === 'run' ? this.#withPattern(message) : message);
  }

  /** Vitest sends the pattern for names of tests at the start only, and the worker received just the first one. */
  #withPattern(message: WorkerRequest & { type: 'run' }): WorkerRequest {
    const { testNamePattern } = this.#options.project.config;
    const files = message.context.files.map(file => ({ ...file, testNamePattern }));
    return { ...message, context: { ...message.context, files } };
  }

  #answer(type: 'started' | 'stopped'): void {
    const answer = { type, __vitest_worker_response__: true };
    setImmediate(() => {
      for (const [event, listener] of [...this.#listeners]) if (event === 'message') listener(answer);
    });
  }

  on(event: string, listener: Listener): void {
    shared?.on(event, listener);
    this.#listeners.push([event, listener]);
  }

  off(event: string, listener: Listener): void {
    shared?.off(event, listener);
    const index = this.#listeners.findIndex(([, each]) => each === listener);
    if (index >= 0) this.#listeners.splice(index, 1);
  }

  deserialize(data: unknown): unknown {
    return data;
  }
}

/** Vitest plugin: all runs of the process share one worker. */
export const reusedWorker = {
  name: 'reused-worker',
  configureVitest({ vitest, project }: VitestPluginContext): void {
    project.config.pool = 'reused';
    project.config.poolRunner = { name: 'reused', createPoolWorker: options => new ReusedWorker(options) };
    vitest.onClose(() => shared?.stop());
  },
};
