// Preloaded into a peer that listens: it keeps the peer on the loopback
// interface and writes the port it got to standard error as "LISTENING <port>".
const net = require("net");
const listen = net.Server.prototype.listen;
net.Server.prototype.listen = function (port, ...rest) {
  const callback = rest.find((r) => typeof r === "function");
  this.once("listening", () => {
    process.stderr.write(`LISTENING ${this.address().port}\n`);
  });
  return listen.call(this, Number(port), "127.0.0.1", callback);
};
