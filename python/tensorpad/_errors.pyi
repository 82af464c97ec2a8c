class SpecError(ValueError):
    spec: str
    axis: int | None
    got: int
    limit: int
    def __init__(
        self, message: str, spec: str, axis: int | None = None, got: int = 0, limit: int = 0
    ) -> None: ...
