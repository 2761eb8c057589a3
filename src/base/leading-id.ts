/** The id of a message by the beginning of its text; one inside its params is not its own. */
export const leadingId =
  /^\s*\{(?:\s*"(?:jsonrpc|method)"\s*:\s*"[^"\\]{0,100}"\s*,)*\s*"id"\s*:\s*(\d{1,15}|"[^"\\]{1,100}")(?=\s*[,}])/d;
