/** Addresses of Bitcoin in Bech32: all capitals or none, and both are the same address (BIP 173). */
export const segwitAddress = /^(?:bc1|BC1)(?:[qQ](?:\w{38}|\w{58})|[pP]\w{58})$/;
