import hashlib
import json


def reseal(folder):
    """Give a changed config the checksum that it should have."""
    path = folder / "config.json"
    config = json.loads(path.read_text(encoding="utf-8"))
    config.pop("checksum", None)
    text = json.dumps(config, sort_keys=True, separators=(",", ":"))
    config["checksum"] = hashlib.sha256(text.encode()).hexdigest()
    path.write_text(json.dumps(config), encoding="utf-8")
