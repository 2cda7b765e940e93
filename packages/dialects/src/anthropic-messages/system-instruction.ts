/** Writes an instruction of the system into a turn of the user, for models that accept none among the messages. */
export function wrapInstruction(text: string): string {
  return `<system_instruction>\n${text}\n</system_instruction>`;
}
