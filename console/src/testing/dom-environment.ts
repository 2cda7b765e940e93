import { builtinEnvironments, type Environment } from 'vitest/runtime';

/** The server runs in the same process, and needs those of Node. */
const OF_NODE = [
  'AbortController',
  'AbortSignal',
  'Blob',
  'File',
  'FormData',
  'Headers',
  'ReadableStream',
  'Request',
  'Response',
  'TransformStream',
  'URL',
  'URLSearchParams',
  'WritableStream',
  'clearImmediate',
  'clearInterval',
  'clearTimeout',
  'crypto',
  'fetch',
  'performance',
  'setImmediate',
  'setInterval',
  'setTimeout',
] as const;

/** happy-dom, except for what HTTP needs: component tests call the console's real server. */
const environment: Environment = {
  name: 'dom',
  viteEnvironment: 'ssr',
  async setup(global, options) {
    const ofNode = OF_NODE.map((name) => [name, Object.getOwnPropertyDescriptor(global, name)] as const);
    const { teardown } = await builtinEnvironments['happy-dom'].setup(global, {
      ...options,
      happyDOM: { url: 'http://127.0.0.1:3000' },
    });
    for (const [name, descriptor] of ofNode)
      if (descriptor !== undefined)
        Object.defineProperty(global, name, { ...descriptor, configurable: true });
    return { teardown };
  },
};

export default environment;
