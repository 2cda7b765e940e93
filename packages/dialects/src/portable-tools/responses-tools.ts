import { getLabel } from '../json/get-label.ts';
import { asObject, type JsonObject } from '../json/parse-object.ts';
import { getNamePrefix, joinFunctionName } from './function-name.ts';
import { getText } from './text-of.ts';

/** The kinds of tools of the Responses API that the client runs. */
type ClientToolKind = 'function' | 'custom' | 'local_shell' | 'shell' | 'apply_patch' | 'tool_search';

/** A tool of the Responses API that the client runs. */
export interface ClientTool {
  kind: ClientToolKind;
  /** null: it is in no namespace. */
  namespace: string | null;
  name: string;
  /** The function that represents it at providers of other dialects. */
  functionName: string;
  /** As the request declares it. */
  value: JsonObject;
}

/** True for a function that every dialect can declare under its own name. */
export const isPlainFunction = ({ kind, namespace }: ClientTool) => kind === 'function' && namespace === null;

/** The declared tools of a request: the client's, and the types of the provider's. */
interface DeclaredTools {
  client: ClientTool[];
  hosted: string[];
}

/** Items of `input` that declare tools. */
const DECLARING_ITEMS: ReadonlySet<unknown> = new Set(['additional_tools', 'tool_search_output']);

export function declaresTools(item: JsonObject): boolean {
  return DECLARING_ITEMS.has(item['type']);
}

/**
 * Sorts declared tools (https://platform.openai.com/docs/api-reference/responses/create). The tools of a namespace are
 * listed one by one.
 * @param tools the list, which may have entries that are no tools
 */
export function readDeclaredTools(tools: unknown): DeclaredTools {
  const found: DeclaredTools = { client: [], hosted: [] };
  for (const entry of Array.isArray(tools) ? tools : []) {
    const tool = asObject(entry);
    if (tool !== null) addTool(found, tool, NO_NAMESPACE);
  }
  return found;
}

/** What answers need of a large `input`: the items that declare tools, if there are any. */
export function getDeclaringInput({ input }: JsonObject): JsonObject {
  const items: unknown[] = Array.isArray(input) ? input : [];
  const declaring = items.filter((entry) => {
    const item = asObject(entry);
    return item !== null && declaresTools(item);
  });
  return declaring.length === 0 ? {} : { input: declaring };
}

/**
 * The tools that a request declares, in the order in which providers of other dialects get them: the functions of `tools`, its
 * other tools, and those of items of `input`.
 */
export function getClientTools(body: JsonObject): ClientTool[] {
  const { tools, input } = body;
  const items: unknown[] = Array.isArray(input) ? input : [];
  const later = items.flatMap((entry) => {
    const item = asObject(entry);
    return item !== null && declaresTools(item) ? readDeclaredTools(item['tools']).client : [];
  });
  const { client } = readDeclaredTools(tools);
  const others = client.filter((tool) => !isPlainFunction(tool));
  return [...client.filter(isPlainFunction), ...others, ...later];
}

interface Namespace {
  name: string | null;
  /** Of the names of its functions. */
  prefix: string;
}

const NO_NAMESPACE: Namespace = { name: null, prefix: '' };

function addTool(found: DeclaredTools, value: JsonObject, namespace: Namespace): void {
  const { type } = value;
  const kind = getKind(value);
  if (type === 'namespace' && namespace === NO_NAMESPACE) {
    const inside: unknown[] = Array.isArray(value['tools']) ? value['tools'] : [];
    const own = getText(value['name']);
    const declaring = { name: own, prefix: getNamePrefix(own) };
    for (const entry of inside) {
      const tool = asObject(entry);
      if (tool !== null) addTool(found, tool, declaring);
    }
  } else if (kind === null) found.hosted.push(getLabel(type));
  else {
    const name = kind === 'function' || kind === 'custom' ? getText(value['name']) : kind;
    const isPlain = kind === 'function' && namespace === NO_NAMESPACE;
    const functionName = isPlain ? name : joinFunctionName(namespace.prefix, name);
    found.client.push({ kind, namespace: namespace.name, name, functionName, value });
  }
}

/** @returns null for a tool that the provider runs, or that no function can stand for */
function getKind({ type, execution, environment }: JsonObject): ClientToolKind | null {
  switch (type) {
    case 'function':
    case 'custom':
    case 'local_shell':
    case 'apply_patch':
      return type;
    case 'shell':
      return (asObject(environment)?.['type'] ?? 'local') === 'local' ? type : null;
    case 'tool_search':
      return execution === 'client' ? type : null;
    default:
      return null;
  }
}
