import { asObject, type JsonObject } from '../json/parse-object.ts';
import type { ClientTool } from '../portable-tools/responses-tools.ts';
import { callItem } from './output-item.ts';
import type { BlockPlace, OpenItem, StreamBlock } from './open-block.ts';

/**
 * Opens the call of a tool that has its own type of item. Its arguments come as JSON, which its item does not have, so the
 * item is written when they are complete.
 */
export function openOwnCall(
  { id: callId, name, itemId }: { id: string; name: string; itemId: string },
  tool: ClientTool,
  { events, index, beforeItem }: BlockPlace,
): StreamBlock {
  let text = '';
  const write = (status: Parameters<OpenItem['close']>[0]) =>
    callItem(itemId, status, { id: callId, name, arguments: text }, tool);
  return {
    item: { index, id: itemId, openBlocks: 1, content: [], parts: 0, close: write },
    push(delta) {
      if (delta.type === 'arguments_delta') text += delta.json;
    },
    end() {
      beforeItem();
      const whole = write('in_progress');
      const { added, deltas } = splitItem(whole);
      const at = { item_id: itemId, output_index: index };
      events.event('response.output_item.added', { output_index: index, item: added });
      for (const { type, ...members } of deltas) events.event(type, { ...at, ...members });
    },
  };
}

type Delta = { type: string } & JsonObject;

/** The item without its text, and the events that bring the text. */
function splitItem(whole: JsonObject): { added: JsonObject; deltas: Delta[] } {
  if (whole['type'] === 'custom_tool_call') {
    const { input } = whole;
    const name = 'response.custom_tool_call_input';
    return {
      added: { ...whole, input: '' },
      deltas: [
        { type: `${name}.delta`, delta: input },
        { type: `${name}.done`, input },
      ],
    };
  }
  const operation = asObject(whole['operation']);
  if (operation?.['diff'] === undefined) return { added: whole, deltas: [] };
  const { diff } = operation;
  const name = 'response.apply_patch_call_operation_diff';
  return {
    added: { ...whole, operation: { ...operation, diff: '' } },
    deltas: [
      { type: `${name}.delta`, delta: diff },
      { type: `${name}.done`, diff },
    ],
  };
}
