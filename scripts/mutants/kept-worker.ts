import {
  ForksPoolWorker,
  type PoolOptions,
  type PoolWorker,
  type VitestPluginContext,
  type WorkerRequest,
} from 'vitest/node';

type Listener = (value: unknown) => void;

/** What runs tests, kept from one change to the next: loading the shop takes longer than most of its tests. */
let kept: ForksPoolWorker | undefined;

/** To Vitest a worker that begins and ends with each run. */
class KeptWorker implements PoolWorker {
  readonly name = 'kept';
  readonly cacheFs = true;
  readonly #options: PoolOptions;
  readonly #listeners: [event: string, listener: Listener][] = [];
  #isFirst = false;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    if (kept) return;
    this.#isFirst = true;
    const worker = new ForksPoolWorker(this.#options);
    await worker.start();
    worker.on('exit', () => {
      kept = undefined;
    });
    kept = worker;
  }

  async stop(): Promise<void> {
    for (const [event, listener] of this.#listeners) kept?.off(event, listener);
  }

  send(message: WorkerRequest): void {
    if (message.type === 'start' && !this.#isFirst) this.#answer('started');
    else if (message.type === 'stop') this.#answer('stopped');
    else kept?.send(message.type === 'run' ? this.#wanted(message) : message);
  }

  /** Which tests of a file are wanted is said at the start, of which the worker has heard the first only. */
  #wanted(message: WorkerRequest & { type: 'run' }): WorkerRequest {
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
    kept?.on(event, listener);
    this.#listeners.push([event, listener]);
  }

  off(event: string, listener: Listener): void {
    kept?.off(event, listener);
    const index = this.#listeners.findIndex(([, each]) => each === listener);
    if (index >= 0) this.#listeners.splice(index, 1);
  }

  deserialize(data: unknown): unknown {
    return data;
  }
}

/** A plugin of Vitest: all runs of its process share one worker. */
export const keptWorker = {
  name: 'kept-worker',
  configureVitest({ vitest, project }: VitestPluginContext): void {
    project.config.pool = 'kept';
    project.config.poolRunner = { name: 'kept', createPoolWorker: options => new KeptWorker(options) };
    vitest.onClose(() => kept?.stop());
  },
};
