// An experimental parser, which the environment variable UNDICI_USE_MILO would choose.
exports.getMiloEnabled = () => false
