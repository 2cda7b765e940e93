/** The id of a message: the provider's own where it is of this dialect, else one made of the request's. */
export function toMessageId(id: string, requestId: string): string {
  return id.startsWith('msg_') ? id : `msg_${requestId.replace(/^req_/, '')}`;
}

/** The id of a call that the provider gave none, so that its result can name it. */
export function toCallId(id: string, requestId: string, index: number): string {
  return id === '' ? `toolu_${requestId.replace(/^req_/, '')}_${index}` : id;
}
